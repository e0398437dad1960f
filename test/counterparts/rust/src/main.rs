//! A server on rmcp, the official SDK of Rust: counterpart <mode> <port>. It speaks both eras; sessions are of the older one.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::atomic::{AtomicI64, Ordering::SeqCst};
use std::sync::{Arc, LazyLock};
use std::time::Duration;

use rmcp::handler::server::router::tool::{ToolRoute, ToolRouter};
use rmcp::handler::server::tool::ToolCallContext;
use rmcp::handler::server::wrapper::Parameters;
use rmcp::model::*;
use rmcp::schemars::{self, JsonSchema};
use rmcp::service::{NotificationContext, RequestContext, SubscriptionContext};
use rmcp::transport::stdio;
use rmcp::transport::streamable_http_server::{
    StreamableHttpServerConfig, StreamableHttpService, session::local::LocalSessionManager,
};
use rmcp::{ErrorData, Json, Peer, RoleServer, ServerHandler, ServiceExt, tool, tool_router};
use serde::{Deserialize, Serialize};
use tokio::sync::{Mutex, RwLock, broadcast};

const PIXEL: &str = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const NOISE: &str = "UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=";

static BEGUN: AtomicI64 = AtomicI64::new(0);
static CANCELLED: AtomicI64 = AtomicI64::new(0);
/// Every session and every request has a server of its own, and all of them have the same tools.
static TOOLS: LazyLock<RwLock<Arc<ToolRouter<Counterpart>>>> =
    LazyLock::new(|| RwLock::new(Arc::new(Counterpart::tool_router())));
/// Clients of the older era, and those of the newer one that listen.
static PEERS: Mutex<Vec<Peer<RoleServer>>> = Mutex::const_new(Vec::new());
static CHANGES: LazyLock<broadcast::Sender<()>> = LazyLock::new(|| broadcast::channel(16).0);

#[derive(Deserialize, JsonSchema)]
struct Words {
    word: String,
    loud: Option<bool>,
}

#[derive(Deserialize, JsonSchema)]
struct Numbers {
    a: i64,
    b: i64,
}

#[derive(Serialize, JsonSchema)]
struct Sum {
    sum: i64,
}

#[derive(Serialize, JsonSchema)]
struct State {
    begun: i64,
    cancelled: i64,
}

#[derive(Deserialize, JsonSchema)]
struct Seconds {
    seconds: f64,
}

#[derive(Deserialize, JsonSchema)]
struct Pause {
    #[serde(default)]
    pause: f64,
}

#[derive(Deserialize, JsonSchema)]
struct Line {
    item: String,
    count: i64,
}

#[derive(Deserialize, JsonSchema)]
struct Order {
    customer: HashMap<String, String>,
    lines: Vec<Line>,
}

#[derive(Deserialize, JsonSchema)]
struct Ordered {
    order: Order,
}

#[derive(Deserialize, JsonSchema)]
struct Tree {
    value: i64,
    #[serde(default)]
    children: Vec<Tree>,
}

#[derive(Deserialize, JsonSchema)]
struct Planted {
    tree: Tree,
}

#[derive(Deserialize, JsonSchema)]
struct Pair {
    point: (i64, i64),
}

#[derive(Deserialize, JsonSchema)]
struct Name {
    name: String,
}

fn show(content: ContentBlock) -> CallToolResult {
    CallToolResult::success(vec![content])
}

fn total(tree: &Tree) -> i64 {
    tree.value + tree.children.iter().map(total).sum::<i64>()
}

/// The version that the program is built with.
fn version() -> &'static str {
    let after = include_str!("../Cargo.lock")
        .split_once("name = \"rmcp\"\nversion = \"")
        .map_or("", |(_, after)| after);
    after.split('"').next().unwrap_or_default()
}

#[derive(Clone)]
struct Counterpart {
    speaks_newer_era: bool,
}

#[tool_router]
impl Counterpart {
    #[tool(description = "Names the version of the SDK")]
    fn about(&self) -> String {
        version().to_owned()
    }

    #[tool(description = "Says a word")]
    fn text(&self, Parameters(Words { word, loud }): Parameters<Words>) -> String {
        format!(
            "{}: {word}",
            if loud == Some(true) { "SAID" } else { "said" }
        )
    }

    #[tool(description = "Adds two integers")]
    fn structured(&self, Parameters(Numbers { a, b }): Parameters<Numbers>) -> Json<Sum> {
        Json(Sum { sum: a + b })
    }

    #[tool(description = "Shows a picture")]
    fn picture(&self) -> CallToolResult {
        show(ContentBlock::image(PIXEL, "image/png"))
    }

    #[tool(description = "Plays a sound")]
    fn audio(&self) -> CallToolResult {
        show(ContentBlock::audio(NOISE, "audio/wav"))
    }

    #[tool(description = "Gives a file")]
    fn resource(&self) -> CallToolResult {
        let file = ResourceContents::blob("AAEC", "test://files/data.bin")
            .with_mime_type("application/x-data");
        show(ContentBlock::resource(file))
    }

    #[tool(description = "Fails")]
    fn tool_error(&self) -> Result<String, String> {
        Err("the disk is full".to_owned())
    }

    #[tool(description = "Fails as a request")]
    fn protocol_error(&self) -> Result<String, ErrorData> {
        Err(ErrorData::new(
            ErrorCode(-32000),
            "the request is refused",
            None,
        ))
    }

    #[tool(description = "Tells three steps")]
    async fn progress(
        &self,
        Parameters(Pause { pause }): Parameters<Pause>,
        meta: RequestMetaObject,
        peer: Peer<RoleServer>,
    ) -> Result<String, String> {
        for step in 1..=3 {
            tokio::time::sleep(Duration::from_secs_f64(pause)).await;
            if let Some(token) = meta.get_progress_token() {
                let told = ProgressNotificationParam::new(token, f64::from(step))
                    .with_total(3.0)
                    .with_message(format!("step {step}"));
                peer.notify_progress(told)
                    .await
                    .map_err(|error| error.to_string())?;
            }
        }
        Ok("done".to_owned())
    }

    // The gateway cancels calls that only read.
    #[tool(description = "Takes its time", annotations(read_only_hint = true))]
    async fn slow(
        &self,
        Parameters(Seconds { seconds }): Parameters<Seconds>,
        context: RequestContext<RoleServer>,
    ) -> Result<String, String> {
        BEGUN.fetch_add(1, SeqCst);
        tokio::select! {
            () = tokio::time::sleep(Duration::from_secs_f64(seconds)) => Ok("waited".to_owned()),
            () = context.ct.cancelled() => {
                CANCELLED.fetch_add(1, SeqCst);
                Err("cancelled".to_owned())
            }
        }
    }

    #[tool(description = "Counts the slow calls, and those that were cancelled")]
    fn seen(&self) -> Json<State> {
        Json(State {
            begun: BEGUN.load(SeqCst),
            cancelled: CANCELLED.load(SeqCst),
        })
    }

    #[tool(description = "Says two megabytes")]
    fn large(&self) -> String {
        "x".repeat(2_000_000)
    }

    #[tool(description = "Takes an order")]
    fn nested(&self, Parameters(Ordered { order }): Parameters<Ordered>) -> String {
        let lines: Vec<_> = order
            .lines
            .iter()
            .map(|Line { item, count }| format!("{count} {item}"))
            .collect();
        format!("{}: {}", order.customer["name"], lines.join(", "))
    }

    #[tool(description = "Adds up a tree")]
    fn recursive(&self, Parameters(Planted { tree }): Parameters<Planted>) -> String {
        total(&tree).to_string()
    }

    #[tool(description = "Takes a tuple")]
    fn pair(&self, Parameters(Pair { point: (x, y) }): Parameters<Pair>) -> String {
        format!("{x} and {y}")
    }

    #[tool(description = "Adds a tool")]
    async fn grow(&self, Parameters(Name { name }): Parameters<Name>) -> String {
        let tool = Tool::new(
            name,
            "Was added later",
            Arc::new(Self::about_tool_attr().input_schema.as_ref().clone()),
        );
        let route = ToolRoute::new_dyn(tool, |_| {
            Box::pin(async { Ok(show(ContentBlock::text("new")).into()) })
        });
        Arc::make_mut(&mut *TOOLS.write().await).add_route(route);
        // Those that have ended cannot be told.
        let _ = CHANGES.send(());
        for peer in PEERS.lock().await.iter() {
            let _ = peer.notify_tool_list_changed().await;
        }
        "grown".to_owned()
    }

    #[tool(description = "Ends the process")]
    fn die(&self) -> String {
        std::process::exit(1)
    }
}

impl ServerHandler for Counterpart {
    fn get_info(&self) -> ServerConfig {
        let capabilities = ServerCapabilities::builder()
            .enable_tools()
            .enable_tool_list_changed()
            .build();
        ServerConfig::new(capabilities).with_server_info(Implementation::new("counterpart", "1"))
    }

    fn supported_protocol_versions(&self) -> Cow<'static, [ProtocolVersion]> {
        let known = ProtocolVersion::KNOWN_VERSIONS.iter();
        known
            .filter(|version| self.speaks_newer_era || version.has_initialize())
            .cloned()
            .collect()
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult {
            tools: TOOLS.read().await.list_all(),
            ..Default::default()
        })
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        // A call that runs keeps nobody from adding a tool.
        let tools = TOOLS.read().await.clone();
        tools
            .call(ToolCallContext::new(self, request, context))
            .await
    }

    async fn on_initialized(&self, context: NotificationContext<RoleServer>) {
        PEERS.lock().await.push(context.peer);
    }

    fn accepted_subscription_filter(
        &self,
        requested: &SubscriptionFilter,
    ) -> Option<SubscriptionFilter> {
        Some(requested.supported_by(&self.get_info().capabilities))
    }

    async fn listen(&self, context: SubscriptionContext) -> Result<(), ErrorData> {
        let mut changes = CHANGES.subscribe();
        loop {
            tokio::select! {
                () = context.cancelled() => return Ok(()),
                _ = changes.recv() => {
                    if context.sink().notify_tool_list_changed().await.is_err() {
                        return Ok(());
                    }
                }
            }
        }
    }
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().collect();
    let (mode, port) = (arguments[1].as_str(), arguments[2].as_str());
    let counterpart = Counterpart {
        speaks_newer_era: mode != "sessions",
    };
    if mode == "stdio" {
        counterpart.serve(stdio()).await?.waiting().await?;
        return Ok(());
    }
    let config = StreamableHttpServerConfig::default()
        .with_legacy_session_mode(mode == "sessions")
        .with_json_response(mode.ends_with("json"));
    let sessions = Arc::new(LocalSessionManager::default());
    let service = StreamableHttpService::new(move || Ok(counterpart.clone()), sessions, config);
    let listener = tokio::net::TcpListener::bind(format!("127.0.0.1:{port}")).await?;
    axum::serve(listener, axum::Router::new().nest_service("/mcp", service)).await?;
    Ok(())
}
