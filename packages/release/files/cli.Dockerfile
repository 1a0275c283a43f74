# The image of the command line for amd64 and arm64:
#   docker buildx build --platform linux/amd64,linux/arm64 --tag NAME:TAG .
ARG NODE_IMAGE=node:24-slim
FROM ${NODE_IMAGE}
COPY --chown=root:root weft.mjs /weft/weft.mjs
USER 65532:65532
ENTRYPOINT ["node", "/weft/weft.mjs"]
