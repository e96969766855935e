# The agent alone; docker-compose.yml puts Home Assistant and a Chroma server beside it.
FROM python:3.11-slim AS build
WORKDIR /src
RUN pip install --no-cache-dir uv==0.13.9 && python -m venv /opt/homeagent
COPY pyproject.toml requirements.lock LICENSE README.md ./
# Dependencies first and by themselves: they change seldom, and this layer is the large one (1.8 GB, CPU build of PyTorch).
RUN grep -o 'torch==[0-9.]*' pyproject.toml > torch.txt \
    && uv pip install --no-cache --torch-backend cpu --python /opt/homeagent/bin/python -r requirements.lock -r torch.txt
COPY homeagent homeagent
COPY indexer indexer
COPY memory memory
COPY data data
RUN uv pip install --no-cache --python /opt/homeagent/bin/python --no-deps .

FROM python:3.11-slim
RUN useradd --create-home --uid 1000 homeagent && mkdir /data && chown homeagent /data
COPY --from=build /opt/homeagent /opt/homeagent
ENV PATH=/opt/homeagent/bin:$PATH \
    HOMEAGENT_DATA_DIR=/data \
    HOMEAGENT_SERVICE__HOST=0.0.0.0
USER homeagent
VOLUME /data
EXPOSE 8765
HEALTHCHECK --start-period=60s CMD ["homeagent", "status"]
ENTRYPOINT ["homeagent"]
CMD ["serve"]
