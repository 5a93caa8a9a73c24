"""The pages a club shows the world: results at a public address, in its own dress."""
