# The receiver, the worker and every other command in one image. Build: docker build -t burn-triage .
# Without a Docker daemon, `deploy/image_steps.py` carries out these steps in a root of their own.
# The base is named by its tag: its digest changes with every security fix of Debian's, and a digest that nobody renews keeps
# old holes; the packages are pinned by their hashes. For the very same image again: --build-arg BASE=python@sha256:...
ARG BASE=python:3.12-slim-bookworm

FROM ${BASE} AS build
ENV PIP_NO_CACHE_DIR=1 PIP_DISABLE_PIP_VERSION_CHECK=1
WORKDIR /src
COPY requirements.lock ./
RUN python3 -m venv /opt/burn-triage
RUN /opt/burn-triage/bin/pip install --require-hashes --only-binary :all: -r requirements.lock
COPY pyproject.toml README.md LICENSE LICENSE-MIT LICENSE-APACHE ./
COPY deploy/wheel_hook.py deploy/
COPY bot bot
COPY kb kb
RUN /opt/burn-triage/bin/pip wheel --no-deps --no-build-isolation --wheel-dir /wheels .
RUN /opt/burn-triage/bin/pip install --no-deps /wheels/*.whl

FROM ${BASE}
RUN useradd --system --uid 10001 --user-group --no-create-home --home-dir /data burn-triage
RUN install -d -o 10001 -g 10001 -m 0700 /data
COPY --from=build /opt/burn-triage /opt/burn-triage
ENV PATH=/opt/burn-triage/bin:/usr/local/bin:/usr/bin:/bin PYTHONDONTWRITEBYTECODE=1 PYTHONUNBUFFERED=1
ENV XDG_STATE_HOME=/data XDG_CACHE_HOME=/tmp HOME=/data
ENV BURN_TRIAGE_LISTEN=0.0.0.0:8000 BURN_TRIAGE_METRICS_LISTEN=0.0.0.0:9464
WORKDIR /data
VOLUME ["/data"]
EXPOSE 8000 9464
USER 10001:10001
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=30s --timeout=10s --start-period=60s --retries=3 CMD ["burn-triage", "ready"]
ENTRYPOINT ["burn-triage"]
CMD ["run"]
