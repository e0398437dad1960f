# One container with everything embedded. README.md, "On a server", says how to run it.
FROM node:26-trixie-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci
COPY . .
RUN npm run build

FROM node:26-trixie-slim
ENV NODE_ENV=production DATA_DIR=/data PORT=3000 HOST=::
# The live view's browser, fonts for the scripts of the world, and an init that buries what a killed browser leaves.
RUN apt-get update \
  && apt-get install -y --no-install-recommends chromium chromium-sandbox fonts-liberation fonts-noto-cjk fonts-noto-color-emoji tini \
  && rm -rf /var/lib/apt/lists/*
# The bundle needs no node_modules; what is not here cannot be attacked.
COPY --from=build /app/dist /app/dist
RUN mkdir -p /data/blobs && chown -R node:node /data
USER node
VOLUME /data
EXPOSE 3000
STOPSIGNAL SIGTERM
WORKDIR /app
ENTRYPOINT ["tini", "--"]
CMD ["node", "dist/server/main.js"]
