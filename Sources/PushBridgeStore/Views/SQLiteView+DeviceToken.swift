import PushBridgeCore

extension SQLiteView {
    private static let find = PushDeviceToken.table.query("WHERE id = '\(PushDeviceToken.onlyRow)'")
    private static let removal = PushDeviceToken.table.removal("WHERE id = '\(PushDeviceToken.onlyRow)'")

    func deviceToken() throws -> PushDeviceToken? {
        try first(Self.find) { _ in }
    }

    func save(_ token: PushDeviceToken) throws { try save(row: token) }

    func removeDeviceToken() throws -> Bool {
        try execute(Self.removal) { _ in } > 0
    }
}
