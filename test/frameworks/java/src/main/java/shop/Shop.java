// A bike shop with Spring Boot and springdoc, whose operations are named after short methods. People sign in with a
// Bearer token.
package shop;

import io.swagger.v3.oas.annotations.Hidden;
import io.swagger.v3.oas.annotations.enums.SecuritySchemeType;
import io.swagger.v3.oas.annotations.security.SecurityRequirement;
import io.swagger.v3.oas.annotations.security.SecurityScheme;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.springdoc.core.annotations.ParameterObject;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.data.domain.Pageable;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.*;
import org.springframework.web.multipart.MultipartFile;
import org.springframework.web.servlet.HandlerInterceptor;
import org.springframework.web.servlet.config.annotation.InterceptorRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

@SpringBootApplication
@SecurityScheme(name = "token", type = SecuritySchemeType.HTTP, scheme = "bearer")
public class Shop implements WebMvcConfigurer {
  static final List<Map<String, Object>> RECEIVED = new CopyOnWriteArrayList<>();

  public static void main(String[] args) {
    System.setProperty("server.port", System.getenv("PORT"));
    System.setProperty("server.address", "127.0.0.1");
    SpringApplication.run(Shop.class, args);
  }

  static Map<String, Object> note(Object... pairs) {
    Map<String, Object> values = new LinkedHashMap<>();
    for (int index = 0; index < pairs.length; index += 2) values.put((String) pairs[index], pairs[index + 1]);
    RECEIVED.add(values);
    return Map.of();
  }

  @Override
  public void addInterceptors(InterceptorRegistry registry) {
    registry
        .addInterceptor(
            new HandlerInterceptor() {
              @Override
              public boolean preHandle(HttpServletRequest request, HttpServletResponse response, Object handler)
                  throws IOException {
                if ("Bearer token-of-ana".equals(request.getHeader("Authorization"))) return true;
                response.sendError(401);
                return false;
              }
            })
        .addPathPatterns("/me", "/bikes/**");
  }
}

record Bike(String name, Integer gears, List<String> tags) {}

record Purge(LocalDate before) {}

@Hidden
@RestController
class Received {
  @GetMapping("/received")
  List<Map<String, Object>> read() {
    return Shop.RECEIVED;
  }
}

@RestController
@Tag(name = "Person")
@SecurityRequirement(name = "token")
class PersonController {
  @GetMapping("/me")
  Object get() {
    return Shop.note("op", "me", "person", "ana");
  }
}

@RestController
@RequestMapping("/bikes")
@Tag(name = "Bikes")
@SecurityRequirement(name = "token")
class BikeController {
  @GetMapping
  Object list(@RequestParam(required = false) List<String> color, @ParameterObject Pageable page) {
    List<String> sort = page.getSort().stream().map(Object::toString).toList();
    return Shop.note(
        "op", "list", "colors", color, "limit", page.getPageSize(), "page", page.getPageNumber(), "sort", sort);
  }

  @PostMapping
  Object create(@RequestBody Bike bike) {
    return Shop.note("op", "create", "name", bike.name(), "gears", bike.gears(), "tags", bike.tags());
  }

  @PostMapping("/purge")
  Object purge(@RequestBody Purge body) {
    return Shop.note("op", "purge", "before", body.before().toString());
  }

  @GetMapping("/{id}")
  Object get(@PathVariable int id) {
    return Shop.note("op", "get", "id", id);
  }

  @PutMapping("/{id}")
  Object replace(@PathVariable int id, @RequestBody Bike bike) {
    return Shop.note("op", "replace", "id", id, "name", bike.name(), "gears", bike.gears(), "tags", bike.tags());
  }

  @DeleteMapping("/{id}")
  Object delete(@PathVariable int id) {
    return Shop.note("op", "delete", "id", id);
  }

  @PostMapping(path = "/{id}/photo", consumes = MediaType.MULTIPART_FORM_DATA_VALUE)
  Object uploadPhoto(@PathVariable int id, @RequestPart MultipartFile photo, @RequestParam(required = false) String caption)
      throws IOException {
    return Shop.note("op", "photo", "id", id, "photo", new String(photo.getBytes(), StandardCharsets.UTF_8), "caption", caption);
  }
}
