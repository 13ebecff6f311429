"""The text index: sealed segments, the entries behind them, and what a search sees of both."""
