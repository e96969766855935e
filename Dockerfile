# The agent alone; docker-compose.yml puts Home Assistant and a Chroma server beside it.
FROM python:3.11.14-slim-trixie AS build
WORKDIR /src
RUN pip install --no-cache-dir uv==0.13.9 && python -m venv /opt/homeagent
COPY pyproject.toml requirements.lock LICENSE README.md ./
# Dependencies first and by themselves: they change seldom, and this layer is the large one (1.8 GB, CPU build of PyTorch).
RUN grep -o 'torch==[0-9.]*' pyproject.toml > torch.txt \
    && uv pip install --no-cache --compile-bytecode --torch-backend cpu --python /opt/homeagent/bin/python \
        -r requirements.lock -r torch.txt
COPY homeagent homeagent
COPY indexer indexer
COPY memory memory
COPY data data
RUN uv pip install --no-cache --compile-bytecode --python /opt/homeagent/bin/python --no-deps .

FROM python:3.11.14-slim-trixie
RUN useradd --no-create-home --uid 1000 homeagent && install --directory --mode 0700 --owner homeagent /data
COPY --from=build /opt/homeagent /opt/homeagent
# The system may be read-only: only /data and /tmp are written to, and the bytecode is there already.
ENV PATH=/opt/homeagent/bin:$PATH \
    PYTHONDONTWRITEBYTECODE=1 \
    XDG_CACHE_HOME=/tmp \
    HOMEAGENT_DATA_DIR=/data \
    HOMEAGENT_SERVICE__HOST=0.0.0.0
USER 1000
VOLUME /data
EXPOSE 8765
# By its address, so that it holds whatever names are allowed; and without starting a homeagent each time.
HEALTHCHECK --interval=30s --timeout=10s --start-period=60s CMD \
    ["python", "-c", "import urllib.request as u; u.urlopen('http://127.0.0.1:8765/health', timeout=8)"]
ENTRYPOINT ["homeagent"]
CMD ["serve"]
