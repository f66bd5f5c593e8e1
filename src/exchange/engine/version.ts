/**
 * Version of the exchange's rules: the same commands give the same state only under one version. Raise it with every
 * change that makes a command, or the market, do something different. A state continues under new rules and remembers
 * the first command under them; 1 stands for everything before versions were recorded.
 */
export const rulesVersion = 7;
