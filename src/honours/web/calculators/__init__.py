"""Calculators and rulebooks."""
