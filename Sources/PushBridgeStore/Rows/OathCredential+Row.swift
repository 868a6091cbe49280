import PushBridgeCore

extension OathCredential: StoredCredential {
    static let table = Table(
        "oath_credential",
        noun: "one-time-password credential",
        columns: ["id"] + AccountProfile.columns + [
            "user_id", "resource_id", "secret", "algorithm", "digits", "period", "counter", "created_at",
        ] + LegacyDetails.columns
    )
    static let queries = CredentialQueries(table)

    var rowID: String { id }

    func write(to row: inout RowWriter) throws(StoreError) {
        try row.write(id)
        try account.write(to: &row)
        try row.write(userId)
        try row.write(resourceId)
        try row.write(sealing: password.secret, as: "secret")
        try row.write(password.algorithm.rawValue)
        try row.write(password.digits)
        switch movingFactor {
        case .time(let period):
            try row.write(period)
            try row.write(Int?.none)
        case .counter(let counter):
            try row.write(Int?.none)
            try row.write(counter)
        }
        try row.write(createdAt)
        try LegacyDetails.write(legacy, to: &row)
    }

    init(from row: inout RowReader) throws(StoreError) {
        let id = try row.text()
        row.record = id
        let account = try AccountProfile(from: &row)
        let userId = try row.optionalText()
        let resourceId = try row.optionalText()
        let password = try OneTimePassword(from: &row)
        let factor = try OathMovingFactor(from: &row)
        self.init(
            id: id,
            account: account,
            password: password,
            movingFactor: factor,
            createdAt: try row.date()
        )
        self.userId = userId
        self.resourceId = resourceId
        legacy = try LegacyDetails.read(from: &row)
    }
}

extension OneTimePassword {
    fileprivate init(from row: inout RowReader) throws(StoreError) {
        let secret = try row.secret("secret")
        let algorithm: OathAlgorithm = try row.name()
        let digits = try row.int()
        do {
            self = try OneTimePassword(secret: secret, algorithm: algorithm, digits: digits)
        } catch {
            self = try row.present(nil)
        }
    }
}

extension OathMovingFactor {
    fileprivate init(from row: inout RowReader) throws(StoreError) {
        switch (try row.optionalInt(), try row.optionalInt()) {
        case (let period?, nil): self = .time(period: period)
        case (nil, let counter?): self = .counter(counter)
        default: self = try row.present(nil)
        }
    }
}
