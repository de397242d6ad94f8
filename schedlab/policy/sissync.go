package policy

// SIS_SYNC (Chen Yu, 2024-06-25, "sched/fair: Enhance sync wakeup for short
// duration tasks", Message-ID
// 383932811ae0cb4df0bb131fa968e746de979417.1719295669.git.yu.c.chen@intel.com)
// adds one rule between the cluster pass and the LLC scan of 6.10.
//
// When no idle core is in sight and a task wakes, with the sync flag, the very
// task that last woke it, and both run only briefly between sleeps, the wakee
// stays on the waker's CPU. Brief means less than 500 us x (LLC CPUs / 256)^2:
// 27.5 us for an LLC of 60, 109.9 us for one of 120.
//
// Worked example: a netperf pair, client on 3, server last on 7, LLC 0-59 with
// every CPU busy and no idle core. wake_affine says 3 (sync, client alone); 3
// and 7 and the recent CPU are busy; neither thread beside 7 is idle. Both have
// a duration_avg of 4 us < 27.5 us and woke each other last: the server goes to
// CPU 3 and runs when the client blocks, 4 us later, with a warm cache.
//
// Dropped alternatives: counting a duration_avg of 0 (a new task) as long was
// agreed on the list but is not in the posted patch; the post is what counts.
func syncStack(s *selector) (Placement, bool) {
	if !s.sisSync || s.idleCore || !s.w.Sync || s.target != s.w.This {
		return Placement{}, false
	}
	waker, wakee := s.w.Waker, s.w.Wakee
	if s.v.NrRunning(s.w.This) > 1 || waker < 0 || !s.short(wakee) || !s.short(waker) {
		return Placement{}, false
	}
	mutual := s.v.LastWakee(waker) == wakee && s.v.LastWakee(wakee) == waker
	return Placement{s.target, SyncStack}, mutual
}
