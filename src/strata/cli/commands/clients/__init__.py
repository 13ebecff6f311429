"""The programs that use Strata: setting them up."""
