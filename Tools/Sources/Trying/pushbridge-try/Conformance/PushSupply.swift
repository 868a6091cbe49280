import Foundation
import PushBridgeCommandLine
import PushBridgeCore

/// A source of pushes that can be answered.
///
/// The source may also observe the login pages.
protocol PushSupply: Sendable {
    /// Whether only this supply polls the login pages, so that it sees every result of a login.
    var seesLogins: Bool { get }
    /// Returns the next push of a type for a device; `nil` if no such push arrives.
    ///
    /// If the server's pushes have no type, the next push is returned for each requested type.
    func next(_ type: PushType, for device: EnrolledDevice) async throws -> ObservedPush?
    /// Polls a login page and returns its content; `nil` if the page cannot be observed.
    func look(afterPush messageId: String) async throws -> String?
    /// Polls the page of a code.
    func look(afterRegistration messageId: String) async throws
}

/// Pushes that the command asks for, and that a user supplies in files, a folder or standard input.
actor HandedPushes: PushSupply {
    nonisolated let seesLogins = false

    private let places: [PushPlace]
    /// The time limit in seconds for one push.
    private let patience: Int
    private let notify: @Sendable (String) async -> Void
    private var seen: Set<Data> = []
    private var waiting: [ObservedPush] = []
    /// The types of which no push arrived.
    ///
    /// Pushes of these types are not requested again.
    private var missing: Set<PushType> = []
    /// The number of pushes that were requested.
    private var asked = 0

    /// Creates a supply with these sources.
    init(_ places: [PushPlace], patience: Int, notify: @escaping @Sendable (String) async -> Void) {
        self.places = places
        self.patience = patience
        self.notify = notify
    }

    func next(_ type: PushType, for device: EnrolledDevice) async throws -> ObservedPush? {
        for attempt in 0...(4 * patience) {
            try await collect()
            let fitting = waiting.firstIndex { push in
                push.mechanismUid == device.mechanismUid && (push.type == type || !push.isTyped)
            }
            if let fitting { return waiting.remove(at: fitting) }
            if missing.contains(type) { return nil }
            if attempt == 0 { await ask(type, device) }
            var hasEnded = true
            for place in places where await !place.hasEnded { hasEnded = false }
            if hasEnded { missing.formUnion(PushType.allCases) }
            if !hasEnded { try await Task.sleep(for: .milliseconds(250)) }
        }
        missing.insert(type)
        return nil
    }

    func look(afterPush messageId: String) -> String? { nil }
    func look(afterRegistration messageId: String) {}

    private func ask(_ type: PushType, _ device: EnrolledDevice) async {
        let kind =
            switch type {
            case .default: "a push to approve or deny (default)"
            case .challenge: "a push with three numbers (challenge)"
            case .biometric: "a push that requires biometrics (biometric)"
            }
        let account = device.registration.account.accountName
        let places = places.map(\.description).joined(separator: " or ")
        asked += 1
        let task =
            "Push \(asked). Start a login of \(account) with \(kind), and pass the push's payload to \(places)"
        await notify("\(task) within \(patience) s.")
    }

    private func collect() async throws {
        for place in places {
            for document in try await place.documents() where seen.insert(document).inserted {
                if let push = ObservedPush(document) {
                    waiting.append(push)
                } else {
                    await notify("The input from \(place) is not a push from PingAM, and is skipped.")
                }
            }
        }
    }
}

/// A source from which a user supplies pushes.
enum PushPlace: CustomStringConvertible {
    case file(String)
    case folder(String)
    case standardInput(InputDocuments)

    /// Parses the name of a source.
    ///
    /// The name `-` means standard input. If `mayBeMissing` is true, the file may be missing.
    ///
    /// - Throws: ``CommandFailure`` if a file that must exist is missing.
    init(_ name: String, mayBeMissing: Bool) throws {
        var isFolder: ObjCBool = false
        let isThere = FileManager.default.fileExists(atPath: name, isDirectory: &isFolder)
        if name == "-" {
            self = .standardInput(InputDocuments())
        } else if isFolder.boolValue {
            self = .folder(name)
        } else if isThere || mayBeMissing {
            self = .file(name)
        } else {
            throw CommandFailure(status: .unreadableInput, sentence: "There is no file \(name).")
        }
    }

    var description: String {
        switch self {
        case .file(let path), .folder(let path): path
        case .standardInput: "standard input"
        }
    }

    /// Whether the source is standard input, which can be read only once.
    var isInput: Bool { if case .standardInput = self { true } else { false } }

    /// Whether no more input can arrive.
    var hasEnded: Bool {
        get async {
            if case .standardInput(let input) = self { return await input.hasEnded }
            return false
        }
    }

    /// Returns the current documents: the file, the files of the folder with the extension `.json` or
    /// `.apns`, or the documents that standard input has contained so far.
    func documents() async throws -> [Data] {
        switch self {
        case .file(let path):
            return FileManager.default.fileExists(atPath: path) ? [try Data(named: path)] : []
        case .folder(let path):
            let names: [String]
            do {
                names = try FileManager.default.contentsOfDirectory(atPath: path)
            } catch {
                throw CommandFailure(status: .unreadableInput, sentence: "\(path) cannot be read.")
            }
            let pushes = names.filter {
                !$0.hasPrefix(".") && ($0.hasSuffix(".json") || $0.hasSuffix(".apns"))
            }
            return try pushes.sorted().map { try Data(named: "\(path)/\($0)") }
        case .standardInput(let input):
            return await input.documents
        }
    }

    /// Returns the current pushes.
    ///
    /// Documents that are not pushes are skipped only in a folder.
    /// - Throws: ``CommandFailure`` if a file or the input is not a push, or if a folder contains no push.
    func pushes() async throws -> [ObservedPush] {
        if case .standardInput(let input) = self { await input.waitForEnd() }
        let documents = try await documents()
        let pushes = documents.map(ObservedPush.init)
        if case .folder(let path) = self {
            guard !pushes.allSatisfy({ $0 == nil }) else {
                throw CommandFailure(
                    status: .unreadableInput,
                    sentence: "The folder \(path) contains no .json or .apns file with a push from PingAM."
                )
            }
            return pushes.compactMap(\.self)
        }
        guard !pushes.isEmpty, !pushes.contains(where: { $0 == nil }) else {
            throw CommandFailure(status: .unreadableInput, sentence: "The input is not a push from PingAM.")
        }
        return pushes.compactMap(\.self)
    }
}

/// The JSON documents that arrive on standard input, one after another.
///
/// A document may have several lines.
actor InputDocuments {
    private(set) var documents: [Data] = []
    private(set) var hasEnded = false
    private var draft = Data()
    private var reading: Task<Void, Never>?

    /// The maximum size of a document in bytes.
    ///
    /// A push has at most four kilobytes, so a larger document is invalid.
    private static let largest = 1 << 20

    init() {
        let (lines, line) = AsyncStream.makeStream(of: Data.self)
        // A separate thread waits for the user's input, because reading blocks.
        Thread.detachNewThread {
            while let text = readLine(strippingNewline: false) { line.yield(Data(text.utf8)) }
            line.finish()
        }
        Task { await self.read(lines) }
    }

    /// Waits for the end of the input.
    func waitForEnd() async {
        while !hasEnded {
            do {
                try await Task.sleep(for: .milliseconds(20))
            } catch {
                return
            }
        }
    }

    private func read(_ lines: AsyncStream<Data>) async {
        for await line in lines {
            draft += line
            if JSONValue(json: draft) != nil || draft.count > Self.largest { take() }
        }
        if !draft.allSatisfy({ Character(UnicodeScalar($0)).isWhitespace }) { take() }
        hasEnded = true
    }

    private func take() {
        documents.append(draft)
        draft = Data()
    }
}
