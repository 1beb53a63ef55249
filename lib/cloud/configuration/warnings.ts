/** Fields that an account may refuse, or that probably do not do what was meant. Pure. */
import { GLOBAL_MODEL } from "../../core/text/bedrock-access.ts";
import { foundationModelOf } from "../bedrock-models.ts";
import type { CloudConfig } from "../config.ts";

export interface WarningFacts {
  /** Absent: not known yet. */
  region?: string | undefined;
  /** Whether the table of models has it. */
  isKnown: (model: string) => boolean;
  /** The default model of the region. Absent: none is known. */
  ownModel?: string | undefined;
}

export const configWarnings = (config: CloudConfig, facts: WarningFacts): string[] => [
  ...modelWarnings(config.bedrockModels ?? [], facts),
  ...defaultWarnings(config, facts),
  ...addressWarnings(config),
  ...privateWarnings(config),
  ...(config.program === undefined
    ? []
    : ["program has no effect: the stack gets the general state machine, which executes every program."]),
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

/** Global profiles are those of the commercial regions. */
const OTHER_PARTITION = /^(cn|us-gov)-/;

function defaultWarnings({ model, baseUrl, bedrockModels }: CloudConfig, { region, ownModel }: WarningFacts): string[] {
  const isChosen = (model ?? baseUrl ?? bedrockModels ?? ownModel) !== undefined;
  if (isChosen || region === undefined) return [];
  const offer = OTHER_PARTITION.test(region)
    ? ""
    : ` "bedrockModels": ["${GLOBAL_MODEL}"] takes a profile that may compute in any commercial Region, if Bedrock offers it in ${region}.`;
  return [`No default model is known in ${region}: runs must name one.${offer}`];
}

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
