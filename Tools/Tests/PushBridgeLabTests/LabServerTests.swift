import CredentialMigration
import Foundation
import PingAMSimulator
import PushBridgeCommandLineTestSupport
import PushBridgeCore
import PushBridgeLab
import PushBridgeTestSupport
import PushParity
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The lab without a browser: the effects of requests, and the clients that the lab rejects.
@Suite("Lab", .serialized)
struct LabServerTests {
    private func withLab(
        _ steps: [Step] = [.token("0a1b2c"), .enrol("babs")],
        _ body: (LabClient) async throws -> Void
    ) async throws {
        let server = try await LabServer.start(Scenario("Played", steps: steps), picture: { _ in "<svg/>" }) {
            "\($0) \($1) \($2.records.count)"
        }
        do {
            try await body(LabClient(url: server.url))
            await server.stop()
        } catch {
            await server.stop()
            throw error
        }
    }

    @Test func aStepIsPlayedOnBothPhonesAndRecorded() async throws {
        try await withLab { lab in
            #expect(try await lab.post("steps", #"{"do":"receive","credential":"babs"}"#).status == 200)
            #expect(
                try await lab.post("steps", #"{"do":"answer","push":"p1","with":"approve"}"#).status == 200
            )
            let state = try await lab.state()
            #expect(state["count"] == 4)
            #expect(state["verdict"]?["id"] == "same")
            for side in ["legacy", "async"] {
                guard case .array(let pushes)? = state["phones"]?[side]?["pushes"] else {
                    throw CocoaError(.featureUnsupported)
                }
                #expect(pushes.map { $0["state"] } == ["approved"])
            }
            let file = try await lab.get("scenario.json").body
            let scenario = try #require(try Scenario.list(json: file, name: "file").first)
            #expect(scenario.steps.count == 4)
            #expect(try await ParityRunner().run(scenario).verdict == .same)
        }
    }

    @Test func redoRestoresUndoneSteps() async throws {
        try await withLab { lab in
            let before = try await lab.state()
            #expect(try await lab.post("undo", "{}").status == 200)
            #expect(try await lab.state()["count"] == 1)
            #expect(try await lab.post("redo", "{}").status == 200)
            let after = try await lab.state()
            #expect(after["phones"] == before["phones"])
            #expect(after["steps"] == before["steps"])
        }
    }

    @Test func aStepThatFailsLeavesTheLabAsItWas() async throws {
        try await withLab { lab in
            let before = try await lab.state()
            let refused = try await lab.post("steps", #"{"do":"token","hex":"xyz"}"#)
            #expect(refused.status == 400)
            #expect(
                JSONValue(json: refused.body)?["error"]
                    == "The token xyz is set at launch, so it must be hexadecimal, and the step must not name a credential."
            )
            let after = try await lab.state()
            #expect(after["phones"] == before["phones"])
            #expect(after["count"] == 2)
        }
    }

    @Test(arguments: [
        ["Host": "evil.example"], ["Host": "127.0.0.1"], ["Origin": "http://evil.example"],
        ["Origin": "null"],
        ["Sec-Fetch-Site": "cross-site"],
    ])
    func requestsOfOtherPagesGetStatus403(_ headers: [String: String]) async throws {
        try await withLab { lab in
            for path in ["", "state", "events", "lab.js"] {
                let answer = try await lab.get(path, headers)
                #expect(answer.status == 403)
                #expect(
                    answer.body
                        == Data(
                            "The request does not name this lab's host, or comes from another site's page.\n"
                                .utf8
                        )
                )
            }
            #expect(try await lab.post("undo", "{}", headers).status == 403)
            #expect(try await lab.state()["count"] == 2)
        }
    }

    /// In an earlier version, the smallest integer made the lab crash.
    @Test(arguments: ["\(Int.min)", "0", "3", "\(Int.max)", "one"])
    func unplayedStepsAreNotFound(_ number: String) async throws {
        try await withLab { lab in
            let details = try await lab.get("steps/\(number)")
            let report = try await lab.get("steps/\(number)/report.html")
            #expect(details.status == 404 && report.status == 404)
        }
    }

    /// The page offers the versions that the server lists.
    @Test func thePageGetsEveryVersionOfTheServer() async throws {
        try await withLab { lab in
            let versions = try await lab.get("versions").body
            #expect(JSONValue(json: versions) == .array(ServerVersion.allCases.map { .string($0.rawValue) }))
        }
    }

    /// The page searches the list of built-in scenarios, and plays a scenario by its number.
    @Test func everyBuiltInScenarioCanBePlayed() async throws {
        try await withLab { lab in
            guard case .array(let list)? = JSONValue(json: try await lab.get("catalogue").body) else {
                throw CocoaError(.featureUnsupported)
            }
            #expect(list.map { $0["name"] } == Scenario.catalogue.map { .string($0.name) })
            // A search also finds values in the steps, for example `dropConnection`, which is a kind of fault.
            let found = list.filter { $0["values"]?.text.contains("dropConnection") == true }
            #expect(!found.isEmpty && found.count < list.count)
            #expect(try await lab.post("settings", #"{"version":"7.3"}"#).status == 200)
            #expect(try await lab.post("catalogue", #"{"number":3}"#).status == 200)
            let state = try await lab.state()
            #expect(state["name"] == .string(Scenario.catalogue[3].name))
            #expect(state["count"] == .integer(Scenario.catalogue[3].steps.count))
            #expect(state["settings"]?["version"] == "7.3")
            #expect(try await lab.post("catalogue", #"{"number":-1}"#).status == 400)
        }
    }

    @Test func theNewestStepsAndPushesAreFirst() async throws {
        try await withLab { lab in
            for _ in 0..<2 {
                let push = try await lab.post("steps", #"{"do":"receive","credential":"babs"}"#)
                #expect(push.status == 200)
            }
            let state = try await lab.state()
            guard case .array(let steps)? = state["steps"], case .array(let logins)? = state["server"],
                case .array(let pushes)? = state["phones"]?["async"]?["pushes"]
            else { throw CocoaError(.featureUnsupported) }
            #expect(steps.map { $0["number"] } == [4, 3, 2, 1])
            #expect(logins.map { $0["push"] } == ["p2", "p1"])
            #expect(pushes.map { $0["push"] } == ["p2", "p1"])
        }
    }

    /// The lab shows how many records did not arrive, because a user may be locked out without them.
    @Test func theNumberOfRecordsThatDidNotArriveIsShown() async throws {
        try await withLab { lab in
            let store = try Data(contentsOf: LegacyFixtures.url("damaged.sqlite"))
            let plan = JSONValue(json: try await lab.post("stores?name=damaged.sqlite", body: store).body)
            guard case .integer(let count)? = plan?["count"], case .integer(let lost)? = plan?["lost"],
                case .array(let records)? = plan?["records"], case .array(let reasons)? = plan?["reasons"]
            else { throw CocoaError(.featureUnsupported) }
            let arriving: Set<JSONValue?> = ["migrated", "alreadyPresent", "kept"]
            #expect(count == 50 && lost == 33)
            #expect(records.filter { !arriving.contains($0["outcome"]) }.count == lost)
            // The records that need attention come first.
            #expect(records.prefix(lost).allSatisfy { !arriving.contains($0["outcome"]) })
            #expect(reasons.allSatisfy { $0["number"]?.text.hasPrefix("\"PB-R") == true })
            let step = #"{"do":"migrate","file":"damaged.sqlite"}"#
            #expect(try await lab.post("steps", step).status == 200)
            guard case .array(let steps)? = try await lab.state()["steps"],
                case .array(let calls)? = steps[0]["legacy"]?["calls"],
                case .array(let deliveries) = calls[0],
                case .string(let text)? = deliveries[0]["text"]
            else { throw CocoaError(.featureUnsupported) }
            #expect(text.hasPrefix("50 records, not arrived: "))
        }
    }

    /// A killed lab leaves real legacy stores in the temporary folder, so they must be removed later.
    @Test func droppedStoresOfAKilledLabAreRemoved() async throws {
        try await withLab { lab in
            let folder = FileManager.default.temporaryDirectory
                .appendingPathComponent("pushbridge-lab-\(UUID().uuidString)")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            for name in [".lock", "store.jsonl"] {
                try Data("store".utf8).write(to: folder.appendingPathComponent(name))
            }
            #expect(LabServer.removeLeftOvers() > 0)
            #expect(!FileManager.default.fileExists(atPath: folder.path))
            // The running lab keeps its own stores.
            let dropped = try await lab.post("fixtures", #"{"name":"everyday.jsonl"}"#)
            #expect(dropped.status == 200)
        }
    }

    /// A browser that reloads a page closes its connection and opens a new one; the server must close the old one.
    @Test func connectionsOfClosedWindowsAreClosed() async throws {
        try await withLab { lab in
            let port = try #require(lab.url.port.flatMap(UInt16.init))
            let path = lab.url.appendingPathComponent("events").path
            let request = "GET \(path) HTTP/1.1\r\nHost: \(lab.url.host ?? ""):\(port)\r\n\r\n"
            _ = try await lab.state()
            for _ in 0..<10 {
                let windows = LoopbackConnections(count: 10, port: port, sending: request)
                // A busy machine may have dropped some of the connections.
                try await waitFor("the windows to be open") { LoopbackConnections.accepted(at: port) > 2 }
                windows.close()
                try await waitFor("the connections to be closed") {
                    LoopbackConnections.accepted(at: port) <= 2
                }
            }
            #expect(try await lab.state()["count"] == 2)
        }
    }

    /// The HTTP library calls the handler after it has received a short body, but before it has received a long one.
    @Test(arguments: [100, 10_000])
    func connectionsOfClientsThatLeaveInMidBodyAreClosed(_ length: Int) async throws {
        try await withLab { lab in
            let port = try #require(lab.url.port.flatMap(UInt16.init))
            let path = lab.url.appendingPathComponent("steps").path
            let head = "POST \(path) HTTP/1.1\r\nHost: \(lab.url.host ?? ""):\(port)\r\n"
            let request = "\(head)Content-Length: \(length)\r\n\r\n{"
            let clients = LoopbackConnections(count: 10, port: port, sending: request)
            try await waitFor("the clients to be accepted") { LoopbackConnections.accepted(at: port) == 10 }
            clients.close()
            try await waitFor("the connections to be closed") { LoopbackConnections.accepted(at: port) == 0 }
        }
    }

    @Test func requestsWithoutTheRandomNameAreNotFound() async throws {
        try await withLab { lab in
            for path in ["/", "/state", "/00000000-0000-0000-0000-000000000000/state"] {
                let url = try #require(URL(string: path, relativeTo: lab.url))
                #expect(try await lab.send(URLRequest(url: url)).status == 404)
            }
        }
    }

    @Test func aDroppedStoreIsPlannedBeforeItIsMigrated() async throws {
        try await withLab([.token("0a")]) { lab in
            let plan = try await lab.post("fixtures", #"{"name":"everyday.jsonl"}"#)
            #expect(JSONValue(json: plan.body)?["count"] == 14)
            #expect(try await lab.state()["count"] == 1)
            let step = #"{"do":"migrate","credential":"old","file":"everyday.jsonl"}"#
            #expect(try await lab.post("steps", step).status == 200)
            let state = try await lab.state()
            #expect(state["verdict"]?["id"] == "same")
            let report = try await lab.get("steps/2/report.html?side=async").body
            #expect(String(decoding: report, as: UTF8.self) == "everyday.jsonl the new phone 14")
            #expect(try await lab.get("steps/1/report.html").status == 404)
            let refused = try await lab.post("stores?name=note.txt", "Buy milk")
            #expect(refused.status == 400)
        }
    }
}

/// Sends requests to a lab as its page does.
private struct LabClient {
    let url: URL

    init(url: String) throws { self.url = try #require(URL(string: url)) }

    func get(_ path: String, _ headers: [String: String] = [:]) async throws -> (status: Int, body: Data) {
        let url = path.isEmpty ? url : try #require(URL(string: path, relativeTo: url))
        var request = URLRequest(url: url)
        for (name, value) in headers { request.setValue(value, forHTTPHeaderField: name) }
        return try await send(request)
    }

    func post(
        _ path: String,
        _ body: String,
        _ headers: [String: String] = [:]
    ) async throws -> (status: Int, body: Data) {
        try await post(path, body: Data(body.utf8), headers)
    }

    func post(
        _ path: String,
        body: Data,
        _ headers: [String: String] = [:]
    ) async throws -> (status: Int, body: Data) {
        var request = URLRequest(url: try #require(URL(string: path, relativeTo: url)))
        request.httpMethod = "POST"
        request.httpBody = body
        for (name, value) in headers { request.setValue(value, forHTTPHeaderField: name) }
        return try await send(request)
    }

    func state() async throws -> JSONValue {
        try #require(JSONValue(json: try await get("state").body))
    }

    func send(_ request: URLRequest) async throws -> (status: Int, body: Data) {
        var request = request
        // While the computations of other tests use all processors, the server can respond after a minute.
        request.timeoutInterval = 600
        let (body, response) = try await URLSession.shared.data(for: request)
        return (try #require(response as? HTTPURLResponse).statusCode, body)
    }
}
