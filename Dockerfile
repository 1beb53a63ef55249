# l2mac with its sandbox and the toolchains of generated projects: the way to seal generated code on macOS and Windows.
# docs/install.md has the commands to build and run it.
FROM node:24.21.0-bookworm-slim AS package
WORKDIR /source
COPY . .
RUN npm ci --no-audit --no-fund && npm pack --pack-destination /packed

FROM node:24.21.0-bookworm-slim
RUN apt-get update \
  && apt-get install --yes --no-install-recommends \
    bubblewrap ca-certificates git make g++ unzip \
    python3 python3-pip python3-venv python3-pytest pyflakes3 \
    golang-go rustc cargo default-jdk-headless maven \
    ruby ruby-rspec ruby-minitest rake php-cli php-xml php-mbstring phpunit composer shellcheck \
  && rm -rf /var/lib/apt/lists/*
COPY --from=package /packed /packed
RUN npm install --global --no-audit --no-fund /packed/l2mac-*.tgz && rm -rf /packed

# The task's folder is mounted at /work.
USER node
WORKDIR /work
ENTRYPOINT ["l2mac"]
CMD ["help"]
