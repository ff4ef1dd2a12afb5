"""From pictures to what they show: likelihoods first, verdicts never."""
