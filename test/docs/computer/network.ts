/** The addresses on the internet that the docs' commands reach. */
export interface Network {
  names: string[];
  port: number;
}

/** The API of a deployed stack, as the docs name it. */
export const STACKS = ["abc", "abcdefghij"].map((id) => `${id}.execute-api.eu-west-1.amazonaws.com`);

export const HOSTS = [
  ...STACKS,
  ...["api.openai.com", "api.anthropic.com", "generativelanguage.googleapis.com", "openrouter.ai"],
  ...["my-resource.openai.azure.com", "api.deepseek.com", "api.mistral.ai"],
  ...["us-east-1", "eu-west-1"].map((region) => `bedrock-runtime.${region}.amazonaws.com`),
];
