"""Tests of twins: python3 -m unittest runs them all."""
