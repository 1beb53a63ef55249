/** Fields that an account may refuse, or that probably do not do what was meant. Pure. */
import { foundationModelOf } from "../bedrock-models.ts";
import type { CloudConfig } from "../config.ts";

export interface WarningFacts {
  /** Absent: not known yet. */
  region?: string | undefined;
  /** Whether the table of models has it. */
  isKnown: (model: string) => boolean;
}

export const configWarnings = (config: CloudConfig, facts: WarningFacts): string[] => [
  ...modelWarnings(config.bedrockModels ?? [], facts),
  ...addressWarnings(config),
  ...privateWarnings(config),
  ...(config.evaluator.memoryMb > NEW_ACCOUNT_MB
    ? [
        `evaluator.memoryMb is ${config.evaluator.memoryMb}: new accounts allow ${NEW_ACCOUNT_MB}, and their deployment fails.`,
      ]
    : []),
  ...(config.alarmSpendPerHourUsd > (config.dailyUsd ?? Number.POSITIVE_INFINITY)
    ? [`alarmSpendPerHourUsd is above dailyUsd (${config.dailyUsd}): its alarm is never raised.`]
    : []),
  ...(config.webhook?.format === "slack" && config.webhook.url !== undefined
    ? ["webhook.url of Slack is a secret, and the template contains it. Leave it out: it is then set as a secret."]
    : []),
];

const NEW_ACCOUNT_MB = 3_008;

/** The parts of the world whose regions may call a profile. */
const PROFILES: Record<string, RegExp> = {
  us: /^(us|ca)-(?!gov-)/,
  "us-gov": /^us-gov-/,
  eu: /^eu-/,
  apac: /^ap-/,
  jp: /^ap-northeast-/,
  au: /^ap-southeast-/,
  ca: /^ca-/,
};

const modelWarnings = (models: readonly string[], { region, isKnown }: WarningFacts): string[] =>
  models.flatMap((name) => {
    const [part = ""] = name.slice(name.indexOf("/") + 1).split(".", 1);
    const callers = Object.hasOwn(PROFILES, part) ? PROFILES[part] : undefined;
    return [
      ...(isKnown(name)
        ? []
        : [
            `bedrockModels: ${name} is not in the table of known models (${foundationModelOf(name)}): is it misspelt? Without a price its runs need a ceiling in tokens or turns.`,
          ]),
      ...(callers && region !== undefined && !callers.test(region)
        ? [`bedrockModels: ${name} is a profile of other regions; ${region} probably cannot call it.`]
        : []),
    ];
  });

const privateWarnings = ({ git, webhook }: CloudConfig): string[] =>
  Object.entries({ git, webhook }).flatMap(([name, section]) =>
    section?.allowPrivate
      ? [
          `${name}.allowPrivate has no effect on AWS: functions are in no network of yours, and reach public addresses only.`,
        ]
      : [],
  );

const LOOPBACK = /^https?:\/\/(localhost|127\.|\[::1\])/;

const addressWarnings = ({ baseUrl, webhook }: CloudConfig): string[] =>
  Object.entries({ baseUrl, "webhook.url": webhook?.url }).flatMap(([field, url]) =>
    url !== undefined && LOOPBACK.test(url)
      ? [`${field} is the address of this computer: functions on AWS do not reach it.`]
      : [],
  );
