// The build resolves style sheets.
declare module '*.css';
