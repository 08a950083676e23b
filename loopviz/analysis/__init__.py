"""Runs the detectors over loaded runs and puts what they find into words and tables."""
