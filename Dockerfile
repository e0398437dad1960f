# One container with everything embedded. README.md, "On a server", says how to run it.
FROM node:26-trixie-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci
COPY . .
RUN npm run build

FROM node:26-trixie-slim
ENV NODE_ENV=production DATA_DIR=/data PORT=3000 HOST=::
# The C library keeps a heap for each of Node's threads otherwise.
ENV MALLOC_ARENA_MAX=2
# The live view's browser, fonts for the scripts of the world, and an init that buries what a killed browser leaves.
RUN apt-get update \
  && apt-get install -y --no-install-recommends chromium chromium-sandbox fonts-liberation fonts-noto-cjk fonts-noto-color-emoji tini \
  && rm -rf /var/lib/apt/lists/*
# The bundle needs no node_modules; what is not here cannot be attacked.
COPY --from=build /app/dist /app/dist
RUN mkdir -p /data/blobs && chown -R node:node /data
WORKDIR /app
# One start leaves its compiled code for all later ones. Node.js keeps such code for each user.
ENV NODE_COMPILE_CACHE=/app/compile-cache
RUN install -d -o node compile-cache \
  && HOST=127.0.0.1 DATA_DIR=/tmp/first setpriv --reuid=node --regid=node --clear-groups \
    timeout --preserve-status 10 node dist/server/main.js \
  && chown -R root compile-cache && chmod -R a+rX compile-cache && rm -r /tmp/first
USER node
VOLUME /data
EXPOSE 3000
STOPSIGNAL SIGTERM
ENTRYPOINT ["tini", "--"]
CMD ["node", "dist/server/main.js"]
