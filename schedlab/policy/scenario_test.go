package policy_test

import (
	"os"
	"testing"

	"github.com/schedlab/lab/schedlab/policy/policytest"
)

func TestScenarios(t *testing.T) { policytest.Scenarios(t, os.DirFS("testdata")) }
