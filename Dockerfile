# The command aips for servers that are not in Node. Built from the packed package beside it: npm run release:dry -- out
FROM node:22-slim
COPY aips-lab-*.tgz /tmp/
RUN npm install --global --no-audit --no-fund /tmp/aips-lab-*.tgz && rm -rf /tmp/aips-lab-*.tgz /root/.npm \
  && install --directory --owner node --group node /work
USER node
WORKDIR /work
ENTRYPOINT ["aips"]
CMD ["--help"]
