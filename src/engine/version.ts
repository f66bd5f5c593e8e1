/**
 * Version of the exchange's rules: the same journal gives the same state under one version only. Raise it with every
 * change after which a command, or the market, does something else than before. A state goes on under new rules and
 * remembers from which command on; 1 stands for everything before versions were recorded.
 */
export const rulesVersion = 2;
