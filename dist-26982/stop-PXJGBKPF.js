(function(use,load,meta,require){"use strict";const {gl:t,hl:o,il:r}=use("chunk-KBEGXUNB.js");use("chunk-SAQ7O7IP.js");
                                                                                     var n={summary:"Set a position's stop-loss",description:"A moved stop-loss also grows to cover the position, and perp reports it; --size sets another size. A distance (1%, +150) is measured from the e\
ntry, and 1R is its loss at the first stops that covered it.",args:t("95000, entry, entry-1%, 1%, -0.5R"),options:{...o("what makes the stop-loss cover the position"),"far-stop":{summary:"allow a pric\
e more than 20% from the mark"}},examples:[["perp stop BTC 95000","stop at this mark"],["perp stop BTC entry","to break-even"],["perp stop BTC 1%","1% from the entry, on the losing side"],["perp stop \
BTC mark-200","200 USD below the mark"],["perp stop BTC 150usd","150 USD from the entry, on the losing side"],["perp stop BTC 2% --size 50%","for half of the position"],["perp stop BTC 3% --add","anot\
her stop, for the uncovered rest"]]};async function a(p,i){return r(p,i,"sl")}                              

return{command:n,run:a}})