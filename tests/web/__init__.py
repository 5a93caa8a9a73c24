"""Tests of the web application, asked over HTTP as a browser or a program asks it."""
