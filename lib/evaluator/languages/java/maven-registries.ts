/** The one repository that packages of Maven come from. Pure. */
import { basic, commonWay, type InstallerRegistries, withoutUser } from "../../packages/registries/registry.ts";

const CENTRAL = "https://repo.maven.apache.org/maven2";
/** A released version: what is called a snapshot, and lists of versions, change. */
const RELEASE = /^(?!.*(?:-SNAPSHOT|\/maven-metadata)).*\.(?:jar|pom|zip|war|xml)(?:\.(?:sha1|sha256|sha512|md5))?$/;

export function mavenRegistries(env: Record<string, string>): InstallerRegistries {
  const { address, credentials } = withoutUser(env.MAVEN_REPOSITORY ?? CENTRAL);
  const [user, password] = [env.MAVEN_REPOSITORY_USER, env.MAVEN_REPOSITORY_PASSWORD];
  const own = user && password ? [{ below: `${new URL(address).origin}/`, authorization: basic(user, password) }] : [];
  const registry = {
    address,
    credentials: [...own, ...credentials],
    pages: "plain" as const,
    way: commonWay(env),
    lasting: RELEASE,
  };
  return { registries: [registry], env: (addressOf) => ({ MAVEN_REPOSITORY: addressOf(address) }) };
}
