(function(use,load,meta,require){"use strict";const {h:a,i:b,j:c}=use("chunk-OXU3ZXZH.js");use("chunk-LJQFQSO5.js");use("chunk-3QKAVO3O.js");use("chunk-AFUPYCZE.js");use("chunk-SAQ7O7IP.js");
                                                                                                                                                                                                                                    

return{TrialsFile:b,TrialsFileError:a,asFileError:c}})