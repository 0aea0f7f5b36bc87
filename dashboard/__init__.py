"""Pages, charts, controls and the command line: the layer that puts data and analysis together."""
