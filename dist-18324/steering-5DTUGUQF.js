(function(use,load,meta,require){"use strict";const {b:r,c:p,d:i}=use("chunk-IJML5ECW.js");use("chunk-SDQZVJLW.js");use("chunk-ACAQ3JQR.js");use("chunk-AFUPYCZE.js");use("chunk-SAQ7O7IP.js");
                                                                                                                                                                      var m={summary:"Set a position's stop-loss",description:"A moved stop-loss also grows to cover the position, and perp reports it; --size sets another size. A distance (1%, +150) is measured from the e\
ntry, and 1R is its loss at the first stops that covered it.",args:r("95000, entry, entry-1%, 1%, -0.5R"),options:{...p("enough to cover the position"),"far-stop":{summary:"allow a price more than 20%\
 from the mark"}},examples:[["perp stop BTC 95000","stop at this mark"],["perp stop BTC entry","to break-even"],["perp stop BTC 1%","1% from the entry, on the losing side"],["perp stop BTC mark-200","\
200 USD below the mark"],["perp stop BTC 150usd","150 USD from the entry, on the losing side"],["perp stop BTC 2% --size 50%","for half of the position"],["perp stop BTC 3% --add","another stop, for t\
he uncovered rest"]],async run(t,o){return i(t,o,"sl")}},e={summary:"Set a position's take-profit",description:"A moved take-profit keeps its size; a new one is for the whole position. A distance (3%,\
 +150) is measured from the entry, and 2R is twice its loss at the first stops that covered it.",args:r("99000, entry+3%, 3%, 2R"),options:p("that of the existing one, or the position"),examples:[["pe\
rp target BTC 160000","take the profit at this mark"],["perp target BTC 3%","3% from the entry, on the winning side"],["perp target BTC 2R","at twice the risk"],["perp target BTC 2% --size 50%","for h\
alf of the position"],["perp target BTC none","no take-profit"]],async run(t,o){return i(t,o,"tp")}},h={stop:m,target:e};                   

return{words:h}})