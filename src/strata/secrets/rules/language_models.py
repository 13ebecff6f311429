"""Keys of language models and of what is built around them."""

from strata.secrets.rules.rule import tokens

RULES = tokens(r"""
anthropic_key           sk-ant-                     sk-ant-[a-z]{3,6}\d\d-[\w-]{40,}
openrouter_key          sk-or-                      sk-or-(?:v1-)?[a-f0-9]{64}
langsmith_key           lsv2_                       lsv2_(?:pt|sk)_[a-f0-9]{32}_[a-f0-9]{10}
langfuse_key            sk-lf-                      sk-lf-[a-f0-9]{8}(?:-[a-f0-9]{4}){3}-[a-f0-9]{12}
openai_key              sk-                         sk-(?:(?:proj|svcacct|admin|None)-[\w-]{40,200}|[A-Za-z0-9]{48})
hex_model_key           sk-                         sk-[a-f0-9]{32,64}
huggingface_token       hf_,api_org_                (?:hf|api_org)_[A-Za-z0-9]{34,}
groq_key                gsk_                        gsk_[A-Za-z0-9]{52}
xai_key                 xai-                        xai-[A-Za-z0-9]{70,}
perplexity_key          pplx-                       pplx-[A-Za-z0-9]{40,}
replicate_token         r8_                         r8_[A-Za-z0-9]{37}
nvidia_key              nvapi-                      nvapi-[\w-]{60,}
fireworks_key           fw_                         fw_(?=[A-Za-z]{0,23}\d)[A-Za-z0-9]{22,24}
tavily_key              tvly-                       tvly-(?:dev-|prod-)?[\w-]{32,}
pinecone_key            pcsk_                       pcsk_[A-Za-z0-9]{4,6}_[A-Za-z0-9]{50,}
wandb_key               wandb_v1_                   wandb_v1_[\w-]{40,}
cerebras_key            csk-                        csk-[a-z0-9]{48}
elevenlabs_key          sk_                         sk_[a-f0-9]{48}
voyage_key              pa-                         pa-(?=[\w-]{0,42}\d)(?=[\w-]{0,42}[A-Z])[\w-]{43}
""")  # noqa: E501  (a pattern cannot be broken)
