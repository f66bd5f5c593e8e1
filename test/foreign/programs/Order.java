import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.UUID;
import java.util.regex.Pattern;

/** The same as order.py, by the client of the JDK, which asks for HTTP/2 first. */
public class Order {
  static final String base = System.getenv("PERP_BASE_URL");
  static final HttpClient client = HttpClient.newHttpClient();

  static HttpResponse<String> call(String method, String path, String body, String key) throws Exception {
    var request = HttpRequest.newBuilder(URI.create(base + path))
        .header("Authorization", "Bearer " + System.getenv("PERP_API_KEY"))
        .method(method, body == null ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
    if (body != null) request.header("Content-Type", "application/json");
    if (key != null) request.header("Idempotency-Key", key);
    return client.send(request.build(), BodyHandlers.ofString());
  }

  /** The first value of a name. */
  static String value(HttpResponse<String> answer, String name) {
    var found = Pattern.compile("\"" + name + "\":\"([^\"]*)\"").matcher(answer.body());
    if (!found.find()) throw new IllegalStateException(name + ": " + answer.body());
    return found.group(1);
  }

  public static void main(String[] words) throws Exception {
    var account = value(call("GET", "/v1/accounts", null, null), "id");
    var name = "java-" + UUID.randomUUID();
    var order = """
        {"account_id": "%s", "market_id": "binance|BTCUSDT", "side": "buy", "type": "limit", "size": 0.005,
         "limit_price": 20000, "leverage": 1, "margin_mode": "cross", "client_order_id": "%s"}""".formatted(account, name);
    var first = call("POST", "/v1/orders", order, name);
    var again = call("POST", "/v1/orders", order, name);
    var id = value(first, "id");
    var found = call("GET", "/v1/orders?account_id=" + account + "&client_order_id=" + name, null, null);
    var canceled = call("DELETE", "/v1/orders/" + id, null, null);
    var ended = call("DELETE", "/v1/orders/" + id, null, null);
    System.out.printf("[[%d,\"%s\"],[%d,%b],[[%b,%b]],[%d,%b],[%d,\"%s\"]]%n",
        first.statusCode(), value(first, "status"), again.statusCode(), value(again, "id").equals(id),
        value(found, "id").equals(id), value(found, "client_order_id").equals(name),
        canceled.statusCode(), canceled.body().contains("\"canceled\":true"), ended.statusCode(), value(ended, "code"));
  }
}
