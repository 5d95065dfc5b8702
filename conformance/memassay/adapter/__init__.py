"""Talking to an implementation under test."""
