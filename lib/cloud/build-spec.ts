/** What CodeBuild does to build the evaluator's image. Pure. */

/** An image that is there already is not built again: its tag names its source. */
const commandsFor = (platform: string): string =>
  [
    'if aws ecr describe-images --repository-name "$REPOSITORY" --image-ids "imageTag=$TAG" >/dev/null 2>&1; then',
    '  echo "The image $TAG is there already."',
    "else",
    "  set -e",
    '  aws ecr get-login-password | docker login --username AWS --password-stdin "$REGISTRY"',
    `  docker build --platform ${platform} --tag "$REGISTRY/$REPOSITORY:$TAG" .`,
    '  docker push "$REGISTRY/$REPOSITORY:$TAG"',
    "fi",
  ].join("\n");

/** JSON, which is YAML too. */
export const buildSpec = (platform: string): string =>
  JSON.stringify({
    version: "0.2",
    env: {
      shell: "bash",
      // Lambda accepts no image with attestations.
      variables: { BUILDX_NO_DEFAULT_ATTESTATIONS: "1" },
    },
    phases: { build: { commands: [commandsFor(platform)] } },
  });
