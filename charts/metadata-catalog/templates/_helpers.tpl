{{- define "catalog.name" -}}
{{- default .Chart.Name .Values.nameOverride | trunc 52 | trimSuffix "-" }}
{{- end }}

{{- /* Room is left for the longest suffix: -system-update. */}}
{{- define "catalog.fullname" -}}
{{- if .Values.fullnameOverride }}
{{- .Values.fullnameOverride | trunc 48 | trimSuffix "-" }}
{{- else if contains (include "catalog.name" .) .Release.Name }}
{{- .Release.Name | trunc 48 | trimSuffix "-" }}
{{- else }}
{{- printf "%s-%s" .Release.Name (include "catalog.name" .) | trunc 48 | trimSuffix "-" }}
{{- end }}
{{- end }}

{{- define "catalog.selector" -}}
app.kubernetes.io/name: {{ include "catalog.name" . }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "catalog.labels" -}}
{{ include "catalog.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" }}
{{- end }}

{{- define "catalog.secret" -}}
{{- default (include "catalog.fullname" .) .Values.existingSecret }}
{{- end }}

{{- define "catalog.serviceAccount" -}}
{{- if .Values.serviceAccount.create }}
{{- default (include "catalog.fullname" .) .Values.serviceAccount.name }}
{{- else }}
{{- default "default" .Values.serviceAccount.name }}
{{- end }}
{{- end }}

{{- define "catalog.image" -}}
{{ .Values.image.repository }}:{{ default .Chart.AppVersion .Values.image.tag }}
{{- end }}

{{- /* What a container of the service may do: nothing that an ordinary account lacks. */}}
{{- define "catalog.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities:
  drop: [ALL]
{{- end }}

{{- define "catalog.podSecurity" -}}
runAsNonRoot: true
runAsUser: 1000
runAsGroup: 1000
fsGroup: 1000
seccompProfile:
  type: RuntimeDefault
{{- end }}

{{- /*
The template of a pod, of (dict "root" $ "role" "api" "part" .Values.api "command" list "data" bool).
"data" says that the volume "data" is claimed by the pod's owner.
*/}}
{{- define "catalog.pod" -}}
{{- $root := .root }}
metadata:
  labels:
    {{- include "catalog.selector" $root | nindent 4 }}
    app.kubernetes.io/component: {{ .role }}
    {{- with $root.Values.podLabels }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
  annotations:
    # New settings restart the pods.
    checksum/config: {{ include (print $root.Template.BasePath "/configmap.yaml") $root | sha256sum }}
    checksum/secret: {{ include (print $root.Template.BasePath "/secret.yaml") $root | sha256sum }}
    {{- with $root.Values.podAnnotations }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
spec:
  serviceAccountName: {{ include "catalog.serviceAccount" $root }}
  automountServiceAccountToken: false
  {{- with $root.Values.imagePullSecrets }}
  imagePullSecrets:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  securityContext:
    {{- include "catalog.podSecurity" $root | nindent 4 }}
  # Longer than the pause below and the nine seconds in which the service ends what is under way.
  terminationGracePeriodSeconds: 30
  containers:
    - name: catalog
      image: {{ include "catalog.image" $root }}
      imagePullPolicy: {{ $root.Values.image.pullPolicy }}
      {{- with .command }}
      args:
        {{- toYaml . | nindent 8 }}
      {{- end }}
      env:
        - name: CATALOG_ROLE
          value: {{ .role }}
      envFrom:
        - configMapRef:
            name: {{ include "catalog.fullname" $root }}
        - secretRef:
            name: {{ include "catalog.secret" $root }}
      ports:
        - name: http
          containerPort: 8080
      # The first start of a version migrates the database.
      startupProbe:
        httpGet: { path: /health/ready, port: http }
        periodSeconds: 5
        timeoutSeconds: 4
        failureThreshold: 120
      readinessProbe:
        httpGet: { path: /health/ready, port: http }
        periodSeconds: 5
        timeoutSeconds: 4
      livenessProbe:
        httpGet: { path: /health/live, port: http }
        periodSeconds: 10
        timeoutSeconds: 9
        failureThreshold: 6
      lifecycle:
        preStop:
          exec:
            # Load balancers learn meanwhile that the pod is going.
            command: [sleep, '5']
      resources:
        {{- toYaml .part.resources | nindent 8 }}
      securityContext:
        {{- include "catalog.containerSecurity" $root | nindent 8 }}
      volumeMounts:
        - name: data
          mountPath: /data
        - name: tmp
          mountPath: /tmp
  volumes:
    {{- if not .data }}
    - name: data
      emptyDir: {}
    {{- end }}
    - name: tmp
      emptyDir: {}
  {{- with .part.nodeSelector }}
  nodeSelector:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with .part.tolerations }}
  tolerations:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with .part.affinity }}
  affinity:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with .part.topologySpreadConstraints }}
  topologySpreadConstraints:
    {{- toYaml . | nindent 4 }}
  {{- end }}
{{- end }}

{{- /* A deployment of one role, of (dict "root" $ "role" "api" "part" .Values.api "command" list). */}}
{{- define "catalog.deployment" -}}
{{- $root := .root }}
apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ include "catalog.fullname" $root }}-{{ .role }}
  labels:
    {{- include "catalog.labels" $root | nindent 4 }}
    app.kubernetes.io/component: {{ .role }}
spec:
  {{- if not (dig "autoscaling" "enabled" false .part) }}
  replicas: {{ .part.replicas }}
  {{- end }}
  selector:
    matchLabels:
      {{- include "catalog.selector" $root | nindent 6 }}
      app.kubernetes.io/component: {{ .role }}
  strategy:
    rollingUpdate:
      maxSurge: 1
      maxUnavailable: 0
  template:
    {{- include "catalog.pod" . | nindent 4 }}
{{- end }}
