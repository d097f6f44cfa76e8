"""Planning without the state graph: for memories of which K^(m-1) histories cannot be listed."""
