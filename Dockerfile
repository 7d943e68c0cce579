# The command aips, and its server, for those who have no Node. It is built from the packed package: npm run release:dry -- out && docker build out
# The base is Node's slim image and not distroless: jobs of CI run their steps in a shell, and its tags name a version. To pin its digest, too, append
# the @sha256:… that `docker buildx imagetools inspect node:24.22.3-bookworm-slim` prints. It cannot be looked up where this is written.
# Nothing of the package depends on a processor, and the image itself runs no command, so that it is built for another one without emulation.
FROM --platform=$BUILDPLATFORM node:24.22.3-bookworm-slim AS install
WORKDIR /opt/aips
COPY aips-lab-*.tgz package-lock.json sbom.json ./
RUN tar -xzf aips-lab-*.tgz --strip-components=1 --no-same-owner && rm aips-lab-*.tgz && chmod +x dist/cli/aips.js \
  && npm ci --omit=dev --omit=optional --ignore-scripts --no-audit --no-fund --loglevel=error \
  && mkdir bin /work && ln -s ../dist/cli/aips.js bin/aips

FROM node:24.22.3-bookworm-slim
COPY --from=install /opt/aips /opt/aips
COPY --from=install --chown=1000:1000 /work /work
ENV PATH=/opt/aips/bin:$PATH
ARG VERSION=unknown
ARG REVISION=unknown
LABEL org.opencontainers.image.title="aips-lab" \
  org.opencontainers.image.description="Reference server, conformance suite and economic simulator for the Agent Identity and Provenance Service protocol" \
  org.opencontainers.image.licenses="MIT" \
  org.opencontainers.image.version="$VERSION" \
  org.opencontainers.image.revision="$REVISION" \
  org.opencontainers.image.base.name="docker.io/library/node:24.22.3-bookworm-slim"
USER 1000:1000
WORKDIR /work
EXPOSE 8787 8788
# Of the server on its usual ports. Start other commands with --no-healthcheck.
HEALTHCHECK --interval=30s --timeout=5s --start-period=20s --retries=3 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:8788/api/health').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["aips"]
CMD ["serve", "--host", "0.0.0.0"]
