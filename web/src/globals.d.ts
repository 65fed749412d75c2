/** Of the service, put in by the build. */
declare const VERSION: string;

declare module '*.css';
