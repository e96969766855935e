"""What a brain may do. One file a tool; the toolbox registers, checks, runs, times and reports them."""
