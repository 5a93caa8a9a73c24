"""What ./honours and ./check run before there is an environment: standard library only."""
