import GRDB

extension Configuration {
    /// Needs no journal: until it is finished, nobody takes the file for a store.
    static var filling: Configuration {
        var configuration = Configuration()
        configuration.allowsUnsafeTransactions = true
        configuration.prepareDatabase { db in
            try db.execute(sql: "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF")
        }
        return configuration
    }
}
