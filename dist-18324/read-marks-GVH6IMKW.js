(function(use,load,meta,require){"use strict";const {f:a,g:b,h:c,i:d,j:e,k:f}=use("chunk-FTFSIOAB.js");use("chunk-SUH5TVCY.js");use("chunk-3RTB3XV7.js");use("chunk-7VWHLLZN.js");use("chunk-AFUPYCZE.js");use("chunk-SAQ7O7IP.js");
                                                                                                                                                                                           
                                                                                                                                      

return{candlesOf:d,equityIn:a,equityOver:b,excursionsOf:e,readExcursions:c,resultsIn:f}})