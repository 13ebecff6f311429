"""The sources of qa.jsonl.xz whose text is of tier 1 (README.md)."""

SOURCES = {
    "eladsegal/strategyqa",
    "Yale-LILY/QMSum",
    "HIT-SCIR/Molweni",
    "haitian-sun/ConditionalQA",
    "jkkummerfeld/irc-disentanglement",
    "songys/Chatbot_data (ko)",
}
