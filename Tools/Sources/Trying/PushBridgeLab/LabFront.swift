import FlyingFox
import FlyingSocks
package import Foundation
@_spi(PushBridgeTools) import PingAMSimulator
import PingAMSimulatorServer
import PushBridgeCommandLine
import PushBridgeCore
package import PushParity

// FlyingFox also has a type named `JSONValue`.
private typealias JSONValue = PushBridgeCore.JSONValue

/// Maps requests of the page to operations of the lab, and the lab's state to responses.
struct LabFront: Sendable {
    /// The maximum size in bytes of a request body.
    ///
    /// This is enough for a scenario of ten thousand steps.
    private static let largestBody = 4 << 20
    /// The maximum size in bytes of a legacy store.
    ///
    /// This is enough for a JSON Lines file of 60,000 records of the usual size (1.1 KB).
    private static let largestStore = 64 << 20

    let lab: Lab
    let door: LabDoor
    let picture: @Sendable (String) -> String?
    let report: LabServer.MigrationPage

    func handle(_ request: HTTPRequest) async throws -> HTTPResponse {
        guard door.admits(request) else {
            return .text(
                "The request does not name this lab's host, or comes from another site's page.",
                status: 403
            )
        }
        guard let path = door.path(of: request) else {
            let reason = "The lab has no such page: the lab's address ends with a random name and a slash."
            return .text(reason, status: 404)
        }
        do {
            return try await respond(to: request, path)
        } catch let error as LabError {
            return .refusal(error.reason)
        } catch let error as ParityError {
            return .refusal(error.reason)
        } catch let error as SimulatorError {
            return .refusal(error.reason)
        } catch let error as DecodingError {
            return .refusal("The lab cannot read the request: \(error)")
        } catch {
            return .refusal("The request failed: \(error)", status: 500)
        }
    }

    private func respond(to request: HTTPRequest, _ path: [String]) async throws -> HTTPResponse {
        switch (request.method, path.first ?? "", path.count) {
        case (.GET, "events", 1): return .events(await lab.states())
        case (.GET, "state", 1): return .json(await lab.state)
        case (.GET, "fixtures", 1):
            return .json(
                .array(DroppedStores.fixtures.map { ["name": .string($0.name), "words": .string($0.words)] })
            )
        case (.GET, "register", 1): return .json(Registers.json)
        case (.GET, "catalogue", 1): return .json(LabCatalogue.json)
        case (.GET, "versions", 1):
            return .json(.array(ServerVersion.allCases.map { .string($0.rawValue) }))
        case (.GET, "steps", 2):
            guard let number = Int(path[1]), let details = await lab.details(ofStep: number) else {
                return .refusal("There is no step \(path[1]).", status: 404)
            }
            return .json(details)
        case (.GET, "steps", 3) where path[2] == "report.html":
            return try await report(ofStep: path[1], request)
        case (.GET, "scenario.json", 1): return .download(try await lab.scenario.file, as: "scenario.json")
        case (.GET, "lane", 2): return try await lane(path[1], request)
        case (.POST, let action, 1):
            let limit = action == "stores" ? Self.largestStore : Self.largestBody
            guard let body = try await request.body(upTo: limit) else { return .refusalOfABody }
            if action == "stores" {
                let name = request.query.first { $0.name == "name" }?.value ?? "store"
                return .json(try await lab.plan(body, named: name))
            }
            if action == "fixtures", case .string(let name)? = JSONValue(json: body)?["name"] {
                return .json(try await lab.plan(fixture: name))
            }
            return try await act(action, body)
        case (.GET, let name, 1):
            guard let page = Page.named(name) else { return .text("The lab has no such page.", status: 404) }
            return .page(page)
        default: return .text("The lab has no such page.", status: 404)
        }
    }

    /// Returns the report of a migration, in the format of `pushbridge migrate --report`.
    private func report(ofStep number: String, _ request: HTTPRequest) async throws -> HTTPResponse {
        let side =
            request.query.first { $0.name == "side" }.flatMap { APISide(rawValue: $0.value) } ?? .legacy
        let played = await lab.played
        guard let number = Int(number), number > 0, number <= played.count,
            let file = played[number - 1].migratedFile, let receipt = played[number - 1].receipts[side]
        else { return .refusal("Step \(number) migrated no store on this phone.", status: 404) }
        let phone = side == .legacy ? "the legacy phone" : "the new phone"
        return .report(try report(file, phone, receipt))
    }

    /// Returns data for an app that takes part, or for the person who tests the app: the registration code, a
    /// push as a file, or a list of pushes for polling.
    private func lane(_ name: String, _ request: HTTPRequest) async throws -> HTTPResponse {
        guard let lane = await lab.lane else {
            return .refusal("No app takes part: first show a code that the app can scan.", status: 404)
        }
        let query = Dictionary(request.query.map { ($0.name, $0.value) }) { first, _ in first }
        switch name {
        case "code.svg":
            guard let image = picture(lane.code.uri) else {
                return .refusal("The code is too long.", status: 500)
            }
            return .page(("image/svg+xml", Data(image.utf8)))
        case "code": return .json(["uri": .string(lane.code.uri)])
        case "pushes": return .json(lane.list(after: query["after"].flatMap { Int($0) } ?? 0))
        case "push.apns":
            guard let push = query["push"], let bundle = query["bundle"], !bundle.isEmpty,
                let file = try lane.file(of: push, for: bundle)
            else {
                return .refusal(
                    "The request must name a push of the app and the app's bundle identifier.",
                    status: 404
                )
            }
            return .download(file, as: "push.apns")
        default: return .text("The lab has no such page.", status: 404)
        }
    }

    private func act(_ action: String, _ body: Data) async throws -> HTTPResponse {
        switch action {
        case "steps": try await lab.play { try Self.step(body, in: $0) }
        case "undo": try await lab.undo()
        case "redo": try await lab.redo()
        case "replay":
            try await lab.replay(pause: JSONValue(json: body)?["slowly"] == true ? .milliseconds(900) : .zero)
        case "clear":
            try await lab.load(Scenario(Self.freshName, settings: await lab.scenario.settings, steps: []))
        case "settings":
            try await lab.change(try await lab.scenario.settings.changed(by: body))
        case "name":
            guard case .string(let name)? = JSONValue(json: body)?["name"], !name.isEmpty, name.count <= 200
            else {
                throw LabError("A scenario's name must have 1 to 200 characters.")
            }
            await lab.rename(name)
        case "lane":
            var side: APISide?
            if case .string(let name)? = JSONValue(json: body)?["side"] {
                side = APISide(rawValue: name)
                if side == nil { throw LabError("The API of an app is either legacy or async.") }
            }
            try await lab.openLane(as: side)
        case "clock": await lab.runClock(JSONValue(json: body)?["runs"] == true)
        case "catalogue":
            guard case .integer(let number)? = JSONValue(json: body)?["number"] else {
                throw LabError("The request must contain the number of a scenario in the list.")
            }
            try await lab.load(try LabCatalogue.scenario(number, on: await lab.scenario.settings.version))
        case "scenario":
            let scenarios = try Scenario.list(json: body, name: "The file")
            guard let scenario = scenarios.first, scenarios.count == 1 else {
                throw LabError(
                    "The file contains \(scenarios.count) scenarios, but the lab can load only a file that contains one."
                )
            }
            try await lab.load(scenario)
        default: return .text("The lab has no such page.", status: 404)
        }
        return .json([:])
    }

    /// The default name of a scenario.
    static let freshName = "Played in the lab"

    /// Decodes a step that the page sent.
    ///
    /// A new push or credential without a name gets a name.
    private static func step(_ body: Data, in lab: isolated Lab) throws -> Step {
        guard case .object(var members)? = JSONValue(json: body), case .string(let verb)? = members["do"]
        else {
            throw LabError("A step is a JSON object whose member \"do\" contains the name of the step.")
        }
        if verb == "receive", members["push"] == nil { members["push"] = .string(lab.nextPush) }
        if ["enrol", "migrate"].contains(verb), members["credential"] == nil {
            members["credential"] = .string(lab.nextCredential)
        }
        guard members["text"] == nil || verb != "enrol" else {
            throw LabError(
                "A code as text would put its secret into the scenario; scan a code of the lab's server instead."
            )
        }
        // The decoder of scenario files is used, because it rejects unknown members.
        let file: JSONValue = ["name": "step", "steps": .array([.object(members)])]
        guard let step = try Scenario.list(json: file.data, name: "The step").first?.steps.first else {
            throw LabError("The request contains no step.")
        }
        return step
    }
}

extension Scenario {
    /// The scenario as a file that `pushbridge parity --scenario` reads.
    ///
    /// The file is formatted for people.
    package var file: Data {
        get throws {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
            return try encoder.encode(self) + Data("\n".utf8)
        }
    }
}

extension ScenarioSettings {
    /// Returns the settings, changed by the members of a JSON object.
    ///
    /// Unknown members are rejected.
    fileprivate func changed(by json: Data) throws -> ScenarioSettings {
        guard case .object(let changes)? = JSONValue(json: json),
            case .object(let present)? = JSONValue(json: try JSONEncoder().encode(self))
        else { throw LabError("The settings must be a JSON object.") }
        let settings = JSONValue.object(present.merging(changes) { _, new in new })
        let file: JSONValue = ["name": "settings", "settings": settings, "steps": .array([])]
        return try Scenario.list(json: file.data, name: "The settings").first?.settings ?? self
    }
}

/// The files of the page, by name.
enum Page {
    static func named(_ name: String) -> (type: String, body: Data)? {
        switch name {
        case "", "index.html": ("text/html; charset=utf-8", Data(PackageResources.index_html))
        case "icon.svg": ("image/svg+xml", Data(PackageResources.icon_svg))
        case "lab.css": ("text/css; charset=utf-8", Data(PackageResources.lab_css))
        case "look.css": ("text/css; charset=utf-8", Data(Look.css.utf8))
        case "lab.js": ("text/javascript; charset=utf-8", Data(PackageResources.lab_js))
        case "dom.js": ("text/javascript; charset=utf-8", Data(PackageResources.dom_js))
        case "store.js": ("text/javascript; charset=utf-8", Data(PackageResources.store_js))
        case "lane.js": ("text/javascript; charset=utf-8", Data(PackageResources.lane_js))
        case "phone.js": ("text/javascript; charset=utf-8", Data(PackageResources.phone_js))
        case "timeline.js": ("text/javascript; charset=utf-8", Data(PackageResources.timeline_js))
        default: nil
        }
    }
}

extension HTTPResponse {
    /// The security headers of all responses that the functions below create.
    ///
    /// Browsers must not store the response, show it in a frame, or send its address to other sites. The page
    /// may run and show only content from this server.
    private static let safety: [(HTTPHeader, String)] = [
        (
            HTTPHeader("Content-Security-Policy"),
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
                + "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
        ),
        (HTTPHeader("Referrer-Policy"), "no-referrer"),
        (HTTPHeader("X-Content-Type-Options"), "nosniff"),
        (HTTPHeader("Cross-Origin-Resource-Policy"), "same-origin"),
        (HTTPHeader("Cross-Origin-Opener-Policy"), "same-origin"),
        (HTTPHeader("Cache-Control"), "no-store"),
    ]

    private static func of(_ type: String, status: Int = 200, _ body: HTTPBodySequence) -> HTTPResponse {
        var headers = HTTPHeaders([.contentType: type])
        for (name, value) in safety { headers[name] = value }
        return HTTPResponse(
            statusCode: HTTPStatusCode(status, phrase: SimulatedResponse.phrase(of: status)),
            headers: headers,
            body: body
        )
    }

    fileprivate static func text(_ text: String, status: Int) -> HTTPResponse {
        of("text/plain; charset=utf-8", status: status, HTTPBodySequence(data: Data("\(text)\n".utf8)))
    }

    fileprivate static func json(_ value: JSONValue, status: Int = 200) -> HTTPResponse {
        of(
            "application/json",
            status: status,
            HTTPBodySequence(data: value.data, suggestedBufferSize: 1 << 16)
        )
    }

    fileprivate static func refusal(_ reason: String, status: Int = 400) -> HTTPResponse {
        json(["error": .string(reason)], status: status)
    }

    fileprivate static func page(_ page: (type: String, body: Data)) -> HTTPResponse {
        of(page.type, HTTPBodySequence(data: page.body, suggestedBufferSize: 1 << 16))
    }

    /// Returns a report page that the user may save and share.
    ///
    /// The page contains its style, because the page has no origin and can neither run nor load anything.
    fileprivate static func report(_ html: String) -> HTTPResponse {
        var response = page(("text/html; charset=utf-8", Data(html.utf8)))
        response.headers[HTTPHeader("Content-Security-Policy")] =
            "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; "
            + "frame-ancestors 'none'; sandbox"
        return response
    }

    fileprivate static func download(_ file: Data, as name: String) -> HTTPResponse {
        var response = of("application/json", HTTPBodySequence(data: file))
        response.headers[HTTPHeader("Content-Disposition")] = "attachment; filename=\"\(name)\""
        return response
    }

    /// Returns a stream of server-sent events with states and progress.
    fileprivate static func events(_ states: AsyncStream<Data>) -> HTTPResponse {
        of("text/event-stream", HTTPBodySequence(from: EventBytes(states: states)))
    }
}

/// The bytes of server-sent events.
private struct EventBytes: AsyncBufferedSequence {
    typealias Element = UInt8

    let states: AsyncStream<Data>

    func makeAsyncIterator() -> Iterator { Iterator(states: states.makeAsyncIterator()) }

    struct Iterator: AsyncBufferedIteratorProtocol {
        var states: AsyncStream<Data>.Iterator

        mutating func next() async throws -> UInt8? { nil }

        mutating func nextBuffer(suggested count: Int) async throws -> [UInt8]? {
            guard let state = await states.next() else { return nil }
            return Array(state)
        }
    }
}
