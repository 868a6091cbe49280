import Foundation
import PushBridgeCore
import PushBridgeStore

/// Where a side's store lives; a memory store survives a restart, a file is closed and opened again.
final class StoreHome: Sendable {
    private struct State {
        var store: any CredentialStore
        var database: SQLiteCredentialStore?
    }

    private let state: Lock<State>
    private let folder: URL?
    private let key = InMemorySealingKey()

    init(_ kind: ScenarioSettings.Store) throws {
        switch kind {
        case .memory:
            folder = nil
            state = Lock(State(store: MemoryCredentialStore()))
        case .sqlite:
            let folder = FileManager.default.temporaryDirectory
                .appendingPathComponent("push-parity-\(UUID().uuidString)")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            self.folder = folder
            let database = try Self.open(folder, key: key)
            state = Lock(State(store: database, database: database))
        }
    }

    var store: any CredentialStore { state.withValue(\.store) }

    func reopen() throws {
        guard let folder else { return }
        try state.withValue { state in
            try state.database?.close()
            let database = try Self.open(folder, key: key)
            state = State(store: database, database: database)
        }
    }

    func close() throws {
        guard let folder else { return }
        try state.withValue { try $0.database?.close() }
        try FileManager.default.removeItem(at: folder)
    }

    private static func open(_ folder: URL, key: InMemorySealingKey) throws -> SQLiteCredentialStore {
        try SQLiteCredentialStore(
            path: folder.appendingPathComponent("push.sqlite").path,
            key: key,
            mode: .create
        )
    }
}
