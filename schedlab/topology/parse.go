package topology

import "strings"

// Parse reads a machine as a person writes it: the name of a preset, or an
// hwloc-style synthetic string. A text with a colon, a blank, a bracket or a
// digit in front is taken for a synthetic string (see ParseSynthetic), anything
// else for a name; an unknown name is an error that names the nearest presets.
// The topology of a synthetic string has the string for a name.
func Parse(spec string) (*Topology, error) {
	spec = strings.TrimSpace(spec)
	if spec != "" && (strings.ContainsAny(spec, ": \t\n[(") || spec[0] >= '0' && spec[0] <= '9') {
		return ParseSynthetic(spec, spec)
	}
	return Preset(spec)
}
