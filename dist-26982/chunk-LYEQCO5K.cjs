require('../bin/start.js').use('chunk-LYEQCO5K.js');
