# Inkproof in a container: built here, run as an ordinary user, everything it keeps in /data.
#   docker build -t inkproof .    docker run -p 3000:3000 -v inkproof:/data inkproof
# What the TeX sandbox needs of the container: docs/operations.md, "In a container".

FROM debian:bookworm-slim AS base
WORKDIR /opt/inkproof
COPY setup/install.sh setup/system-packages.txt setup/
RUN bash -euc '. setup/install.sh; ensure_system_packages runtime' && rm -rf /var/lib/apt/lists/* /var/cache/apt/*.bin

FROM base AS build
COPY . .
RUN bash -euc '. setup/install.sh; ensure_installed; ensure_built; npm prune --omit=dev --ignore-scripts --loglevel=error'
# only what running it reads
RUN rm -rf .toolchain bench content e2e fixtures site test-support training web .react-router build/server

FROM base
COPY --from=build /opt/inkproof /opt/inkproof
RUN useradd --system --create-home inkproof && install -d -o inkproof -g inkproof /data
USER inkproof
# loopback would be the container's own
ENV HOST=0.0.0.0 DATA_DIR=/data
EXPOSE 3000
VOLUME /data
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s \
  CMD ["node_modules/.bin/node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT ?? 3000}/healthz`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
CMD ["./inkproof", "serve"]
